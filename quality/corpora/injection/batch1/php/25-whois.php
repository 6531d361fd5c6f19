<?php

$domain = $_GET['domain'] ?? '';
$ip = $_GET['ip'] ?? '';
$port = $_GET['port'] ?? '80';

if (!preg_match('/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?\z/i', $domain)) {
    die('domain?');
}
echo shell_exec('whois ' . $domain);

if (!preg_match('/\d+\.\d+\.\d+\.\d+/', $ip)) {
    die('ip?');
}
echo shell_exec('geoiplookup ' . $ip);

if (filter_var($ip, FILTER_VALIDATE_IP) === false) {
    die('ip?');
}
echo shell_exec('ping -c 1 ' . $ip);

if (!preg_match('/^\d+/', $port)) {
    die('port?');
}
echo shell_exec("nc -zv localhost $port");
