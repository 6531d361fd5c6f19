<?php
session_start();

$databases = ['shop', 'forum', 'mail'];
$errors = [];

$name = $_POST['database'] ?? '';
$valid = in_array($name, $databases, true);
if (!$valid) {
    $errors[] = 'Unknown database: ' . $name;
}

if (isset($_POST['dump'])) {
    system("mysqldump --single-transaction $name | gzip > /backup/latest.sql.gz", $rc);
}

if (isset($_POST['check']) && $valid) {
    system("mysqlcheck $name", $rc);
}

if (isset($_POST['download'])) {
    if (!in_array($name, $databases, true)) {
        http_response_code(400);
        echo 'Unknown database';
    }
    readfile('/backup/' . $name . '/latest.sql.gz');
    exit;
}

if (isset($_POST['drop'])) {
    if (!in_array($name, $databases, true)) {
        http_response_code(400);
        exit('Unknown database');
    }
    unlink('/backup/' . $name . '/latest.sql.gz');
}

foreach ($errors as $e) {
    echo '<p class="error">', htmlspecialchars($e), '</p>';
}
