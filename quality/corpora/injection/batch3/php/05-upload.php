<?php

session_start();
if (!isset($_SESSION['uid'])) {
    http_response_code(401);
    exit;
}

$dir = '/var/www/data/inbox/' . (int) $_SESSION['uid'];
$extensions = ['pdf' => 'application/pdf', 'txt' => 'text/plain'];

function extension_of(string $name): string
{
    return strtolower(pathinfo($name, PATHINFO_EXTENSION));
}

if (isset($_FILES['document']) && $_FILES['document']['error'] === UPLOAD_ERR_OK) {
    $ext = extension_of($_FILES['document']['name']);
    if (!array_key_exists($ext, $extensions)) {
        http_response_code(415);
        exit;
    }
    $target = $dir . '/' . bin2hex(random_bytes(12)) . '.' . $ext;
    move_uploaded_file($_FILES['document']['tmp_name'], $target);
}

if (isset($_POST['scan'], $_POST['scan_name'])) {
    $name = $_POST['scan_name'];
    if (extension_of($name) !== 'png') {
        http_response_code(415);
        exit;
    }
    file_put_contents($dir . '/scans/' . $name, base64_decode($_POST['scan']));
}

if (isset($_POST['rename_from'], $_POST['rename_to'])) {
    rename($dir . '/' . basename($_POST['rename_from']), $dir . '/' . $_POST['rename_to']);
}

header('Location: /inbox.php');
