<?php

function with_lock(string $name, callable $body)
{
    $fh = fopen('/run/lock/' . md5($name), 'c');
    flock($fh, LOCK_EX);
    try {
        return $body($name);
    } finally {
        flock($fh, LOCK_UN);
        fclose($fh);
    }
}

$project = $_POST['project'] ?? '';
$prefix = 'cd /srv/git && ';

$log = with_lock($project, function ($p) use ($prefix) {
    return shell_exec($prefix . 'git -C ' . $p . ' pull 2>&1');
});

$build = with_lock('build', fn ($p) => shell_exec("make $p 2>&1"));

header('Content-Type: text/plain');
echo $log, "\n", $build;
