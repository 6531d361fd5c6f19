<?php

$host = $_POST['host'] ?? '';
$server = $_POST['server'] ?? '9.9.9.9';

header('Content-Type: text/plain');

if (isset($_GET['lookup'])) {
    $line = 'dig +short @' . escapeshellarg($server) . ' -q ' . escapeshellarg($host);
    passthru($line);
} elseif (isset($_GET['trace'])) {
    $quoted = '"' . str_replace('"', '', $host) . '"';
    passthru("traceroute -m 10 $quoted");
} elseif (isset($_GET['banner'])) {
    $quoted = "'" . addslashes($host) . "'";
    passthru("timeout 3 nc $quoted 25 < /dev/null");
} else {
    http_response_code(400);
    echo "lookup, trace or banner\n";
}

function audit(string $what): void
{
    error_log(date('c') . ' ' . $_SERVER['REMOTE_ADDR'] . ' ' . $what);
}

audit('nettools');
