<?php
session_start();

const STORE = '/srv/viewer/';

function unpackToken(string $token): array
{
    $json = base64_decode(strtr($token, '-_', '+/'));
    return json_decode($json, true) ?: [];
}

$action = $_GET['a'] ?? 'show';

if ($action === 'show') {
    $data = unpackToken($_GET['t'] ?? '');
    readfile(STORE . $data['doc']);
} elseif ($action === 'raw') {
    $name = rawurldecode(rawurlencode($_GET['n']));
    echo file_get_contents(STORE . $name);
} elseif ($action === 'cached') {
    $key = md5($_GET['n']);
    echo file_get_contents(STORE . 'cache/' . $key);
} elseif ($action === 'hex') {
    $key = bin2hex($_GET['n']);
    echo file_get_contents(STORE . 'hex/' . $key);
} elseif ($action === 'unhex') {
    $name = hex2bin($_GET['n']);
    unlink(STORE . 'hex/' . $name);
    $_SESSION['removed'] = $_GET['n'];
}
