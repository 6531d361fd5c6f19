<?php

$dir = '/srv/docs/';
$name = $_GET['name'] ?? '';

if (strpos($name, '..') !== false || strpos($name, '/') !== false) {
    http_response_code(400);
    exit;
}

switch ($_GET['mode'] ?? '') {
    case 'url':
        readfile($dir . rawurldecode($name));
        break;
    case 'hex':
        readfile($dir . hex2bin($name));
        break;
    case 'entity':
        readfile($dir . html_entity_decode($name));
        break;
    default:
        readfile($dir . $name);
}

$who = addslashes($_COOKIE['who'] ?? '');
$pdo = new PDO('sqlite:/var/lib/docs.db');
$pdo->exec("INSERT INTO hits(who) VALUES ('" . urldecode($who) . "')");
