<?php

const SHARE_DIR = '/srv/share/';

function unpack_token(string $token): string
{
    return base64_decode(strtr($token, '-_', '+/'));
}

$token = $_GET['t'] ?? '';
if (strpos($token, '/') !== false || strpos($token, '.') !== false) {
    http_response_code(400);
    exit;
}

$file = unpack_token($token);

if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    $key = bin2hex($file);
    file_put_contents(SHARE_DIR . $key . '.meta', date('c'));
    http_response_code(204);
    exit;
}

header('Content-Type: application/octet-stream');
header('Cache-Control: private');
readfile(SHARE_DIR . $file);
