<?php

class Registry
{
    private static array $values = ['db' => 'forum'];

    public static function set(string $k, $v): void
    {
        self::$values[$k] = $v;
    }

    public static function get(string $k)
    {
        return self::$values[$k] ?? null;
    }
}

function boot(): void
{
    global $board;
    $board = $_GET['board'] ?? 'general';
    Registry::set('author', $_GET['author'] ?? '');
}

function topics(PDO $pdo): array
{
    global $board;
    return $pdo->query("SELECT * FROM topics WHERE board = '$board'")->fetchAll();
}

boot();
$pdo = new PDO('mysql:host=db;dbname=' . Registry::get('db'), 'forum', getenv('PW'));
$posts = $pdo->query('SELECT * FROM posts WHERE author = "' . Registry::get('author') . '"');
$tables = $pdo->query("SHOW TABLES FROM " . Registry::get('db'));
echo json_encode([topics($pdo), $posts->fetchAll(), $tables->rowCount()]);
