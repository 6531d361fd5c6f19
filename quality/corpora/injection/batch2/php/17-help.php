<?php

$base = __DIR__ . '/help';

function clean(string $topic): string
{
    return str_replace(['../', '..\\'], '', $topic);
}

function cleanLoop(string $topic): string
{
    do {
        $before = $topic;
        $topic = str_replace(['..', '/', '\\'], '', $topic);
    } while ($topic !== $before);
    return $topic;
}

if (isset($_GET['topic'])) {
    $topic = clean($_GET['topic']);
    include_once 'header.php';
    echo nl2br(file_get_contents("$base/$topic"));
}

if (isset($_GET['image'])) {
    $image = cleanLoop($_GET['image']);
    header('Content-Type: image/png');
    readfile("$base/img/$image.png");
}

if (isset($_GET['video'])) {
    $video = $_GET['video'];
    if (stripos($video, 'etc') !== false || $video[0] === '/') {
        http_response_code(404);
        exit;
    }
    $fh = fopen("$base/video/$video", 'rb');
    fpassthru($fh);
}

if (isset($_GET['q'])) {
    $q = str_replace([';', '&', '|'], '', $_GET['q']);
    echo '<pre>', htmlspecialchars((string) shell_exec("grep -ril $q $base")), '</pre>';
}
