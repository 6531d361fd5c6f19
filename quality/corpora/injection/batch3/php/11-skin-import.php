<?php

require_once 'inc/auth.php';
require_member();

const SKINS = '/srv/forum/skins/';

function each_entry(string $archive, callable $fn): int
{
    $zip = new ZipArchive();
    if ($zip->open($archive) !== true) {
        throw new RuntimeException('archive');
    }
    for ($i = 0; $i < $zip->numFiles; $i++) {
        $name = $zip->getNameIndex($i);
        if (str_ends_with($name, '/')) {
            continue;
        }
        $fn($name, $zip->getFromIndex($i));
    }
    $zip->close();

    return $i;
}

$archive = $_FILES['skin']['tmp_name'];

if (($_POST['kind'] ?? '') === 'full') {
    $count = each_entry($archive, function (string $name, string $data): void {
        file_put_contents(SKINS . 'mine/' . $name, $data);
    });
} else {
    $count = each_entry($archive, static function (string $name, string $data): void {
        $base = basename($name);
        if (preg_match('/^[a-z0-9-]+\.css$/D', $base)) {
            file_put_contents(SKINS . 'css/' . $base, $data);
        }
    });
}

printf('%d files', $count);
