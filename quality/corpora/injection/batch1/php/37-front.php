<?php

declare(strict_types=1);

function header_value(string $name): string
{
    $key = 'HTTP_' . strtoupper(str_replace('-', '_', $name));
    return $_SERVER[$key] ?? '';
}

function json_body(): array
{
    return json_decode((string) file_get_contents('php://input'), true) ?: [];
}

$db = new PDO('pgsql:host=db;dbname=front', 'front', getenv('PW'));

$routes = [
    'GET /session' => function () use ($db) {
        $sid = $_COOKIE['sid'] ?? '';
        return $db->query("SELECT data FROM session WHERE sid = '$sid'")->fetchColumn();
    },
    'GET /agent' => function () use ($db) {
        $agent = header_value('User-Agent');
        $db->exec("INSERT INTO agent(name) VALUES ('" . $agent . "')");
        return $agent;
    },
    'POST /note' => function () {
        $note = json_body();
        file_put_contents("/srv/notes/{$note['title']}", $note['text']);
        return 'saved';
    },
    'GET /lang' => function () {
        $lang = strtok(header_value('Accept-Language'), ',');
        return shell_exec("LANG=$lang date");
    },
    'GET /last' => function () use ($db) {
        $n = max(1, (int) header_value('X-Count'));
        return json_encode($db->query("SELECT sid FROM session LIMIT $n")->fetchAll());
    },
];

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$route = $routes[$_SERVER['REQUEST_METHOD'] . ' ' . $path] ?? null;

if ($route === null) {
    http_response_code(404);
    exit;
}

header('Content-Type: text/plain');
echo $route();
