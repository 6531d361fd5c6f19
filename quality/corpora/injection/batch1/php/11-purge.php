<?php

require 'bootstrap.php';

$dir = '/srv/cache/';
$removed = 0;

foreach ((array) ($_POST['keys'] ?? []) as $key) {
    if (!is_string($key) || !ctype_alnum($key)) {
        continue;
    }
    if (@unlink($dir . $key)) {
        $removed++;
    }
}

$fallback = null;
foreach ((array) ($_POST['fallback'] ?? []) as $candidate) {
    $fallback = $candidate;
    if (substr($candidate, -4) === '.old') {
        break;
    }
}

if ($fallback !== null) {
    unlink($dir . $fallback);
    $removed++;
}

echo json_encode(['removed' => $removed]);
