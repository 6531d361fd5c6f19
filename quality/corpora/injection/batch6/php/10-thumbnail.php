<?php

const PICTURES = '/srv/pictures';
const ALLOW_RAW_OPTIONS = false;

$formats = ['jpg' => 'jpeg', 'png' => 'png', 'webp' => 'webp'];

function picture(int $id): string
{
    return sprintf('%s/%d/%d.orig', PICTURES, $id % 100, $id);
}

function fail(int $status, string $text): never
{
    http_response_code($status);
    exit($text);
}

$id = filter_input(INPUT_GET, 'id', FILTER_VALIDATE_INT);
if ($id === null || $id === false) {
    fail(400, 'id');
}
$source = picture($id);
if (!file_exists($source)) {
    fail(404, 'missing');
}

$format = $formats[$_GET['format'] ?? 'jpg'] ?? fail(415, 'format');
$target = tempnam(sys_get_temp_dir(), 'thumb') . '.' . $format;

if (isset($_GET['box'])) {
    if (sscanf($_GET['box'], '%dx%d', $width, $height) !== 2) {
        fail(400, 'box');
    }
    exec("convert $source -resize {$width}x{$height} $format:$target", $out, $code);
} elseif (isset($_GET['size'])) {
    if (!preg_match('/^\d+x\d+/', $_GET['size'])) {
        fail(400, 'size');
    }
    exec("convert $source -resize {$_GET['size']} $format:$target", $out, $code);
} elseif (ALLOW_RAW_OPTIONS && isset($_GET['raw'])) {
    exec("convert $source {$_GET['raw']} $target", $out, $code);
} else {
    exec("convert $source -resize 300x300 $format:$target", $out, $code);
}

if ($code !== 0) {
    fail(500, 'convert');
}

if (!empty($_GET['mark'])) {
    $mark = escapeshellarg($_GET['mark']);
    exec("sh -c 'mogrify -gravity south -annotate 0 $mark $target'");
}

if (!empty($_GET['caption'])) {
    $caption = escapeshellarg('caption:' . $_GET['caption']);
    system("mogrify -set comment $caption $target > /dev/null");
}

header('Content-Type: image/' . $format);
readfile($target);
unlink($target);
