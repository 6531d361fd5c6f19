<?php

$dir = '/srv/uploads/';

if (isset($_FILES['doc'])) {
    $name = basename($_FILES['doc']['name']);
    $ext = strtolower(pathinfo($name, PATHINFO_EXTENSION));
    if (!in_array($ext, ['pdf', 'txt'], true)) {
        exit('type?');
    }
    move_uploaded_file($_FILES['doc']['tmp_name'], $dir . $name);
}

if (isset($_POST['title'])) {
    $title = str_replace('../', '', $_POST['title']);
    file_put_contents($dir . $title, $_POST['text']);
}

if (isset($_GET['thumb'])) {
    $thumb = preg_replace('/[^a-z0-9_]/i', '', $_GET['thumb']);
    readfile($dir . $thumb . '.jpg');
}

if (isset($_GET['preview'])) {
    readfile($dir . ltrim($_GET['preview'], './'));
}
