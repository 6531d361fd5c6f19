<?php

define('ALLOW_REMOTE', false);
const PHASE = 2;

$host = 'localhost';
if (ALLOW_REMOTE) {
    $host = $_GET['host'];
}

$lines = [];
exec("mysqladmin -h $host ping", $lines, $code);

$dump = 'nightly';
if (PHASE === 2) {
    $dump = $_GET['dump'] ?? $dump;
}

if ($code === 0) {
    exec('mysqldump --databases ' . $dump . ' > /backup/out.sql', $lines, $code);
}

if (false) {
    exec($_GET['debug']);
}

header('Content-Type: application/json');
echo json_encode(['code' => $code, 'lines' => $lines]);
