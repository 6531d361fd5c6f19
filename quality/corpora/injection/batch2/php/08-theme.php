<?php

require __DIR__ . '/vendor/autoload.php';

Flight::register('db', PDO::class, ['sqlite:/srv/themes.db']);

$builders = [
    'name' => fn (string $v): string => "name = '$v'",
    'rank' => fn (string $v): string => 'rank = ' . (int) $v,
];

function applyTo(callable $fn, mixed ...$args): mixed
{
    return $fn(...$args);
}

Flight::route('GET /themes', function () use ($builders) {
    $cond = $builders['name'](Flight::request()->query['name']);
    $rows = Flight::db()->query("SELECT id FROM theme WHERE $cond");
    Flight::json($rows->fetchAll(PDO::FETCH_COLUMN));
});

Flight::route('GET /themes/rank', function () use ($builders) {
    $cond = applyTo($builders['rank'], Flight::request()->query['rank']);
    Flight::json(Flight::db()->query("SELECT id FROM theme WHERE $cond")->fetchAll());
});

Flight::route('GET /themes/css', function () {
    $path = applyTo(fn ($dir, $n) => "$dir/$n.css", '/srv/themes', Flight::request()->query['css']);
    applyTo(function (string $p) {
        readfile($p);
    }, $path);
});

Flight::start();
