<?php

define('ROOT', realpath('/srv/files'));

$name = $_GET['f'] ?? '';

switch ($_GET['action'] ?? 'get') {
    case 'get':
        $full = realpath(ROOT . '/' . $name);
        if ($full === false || strpos($full, ROOT . DIRECTORY_SEPARATOR) !== 0) {
            http_response_code(404);
            exit;
        }
        readfile($full);
        break;
    case 'rm':
        $full = ROOT . '/' . $name;
        if (strpos($full, ROOT) !== 0) {
            http_response_code(404);
            exit;
        }
        unlink($full);
        break;
    case 'head':
        $full = realpath(ROOT . '/' . $name);
        if (!str_starts_with($full, ROOT)) {
            exit;
        }
        $fh = fopen($full, 'rb');
        echo fread($fh, 64);
        break;
}
