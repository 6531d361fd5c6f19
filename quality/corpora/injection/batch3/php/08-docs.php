<?php

$root = '/srv/handbook';

function page_path(string $root, string $page): string
{
    $page = str_replace('../', '', $page);

    return $root . '/' . $page . '.html';
}

function source_path(string $root, string $page): ?string
{
    $full = realpath($root . '/' . $page . '.html');
    if ($full === false || !str_starts_with($full, $root . DIRECTORY_SEPARATOR)) {
        return null;
    }

    return $full;
}

$page = $_GET['page'] ?? 'start';

if (isset($_GET['print'])) {
    readfile(page_path($root, $page));
    exit;
}

if (isset($_GET['source'])) {
    $path = source_path($root, $page);
    if ($path === null) {
        http_response_code(404);
        exit;
    }
    highlight_file($path);
    exit;
}

$lang = str_replace(['..', "\0"], '', $_COOKIE['lang'] ?? 'en');
$strings = parse_ini_file($root . '/lang/' . basename($lang) . '.ini');
$body = fopen($root . '/cache/' . ltrim($page, './') . '.html', 'r');
?>
<!doctype html>
<html lang="<?= htmlspecialchars($lang) ?>">
<head><title><?= htmlspecialchars($strings['title'] ?? '') ?></title></head>
<body><?php fpassthru($body); ?></body>
</html>
