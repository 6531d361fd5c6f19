<?php

use Psr\Http\Message\ResponseInterface as Response;
use Psr\Http\Message\ServerRequestInterface as Request;
use Slim\Factory\AppFactory;

require __DIR__ . '/../vendor/autoload.php';

const ARCHIVE = '/var/backups/site';

$app = AppFactory::create();
$app->addBodyParsingMiddleware();

$json = function (Response $response, array $data, int $status = 200): Response {
    $response->getBody()->write(json_encode($data));
    return $response->withStatus($status)->withHeader('Content-Type', 'application/json');
};

$app->post('/mirror', function (Request $request, Response $response) use ($json) {
    $url = $request->getParsedBody()['url'] ?? '';
    if (filter_var($url, FILTER_VALIDATE_URL) === false) {
        return $json($response, ['error' => 'not a url'], 422);
    }
    exec("wget -q -P " . ARCHIVE . "/mirror $url 2>&1", $lines, $code);
    return $json($response, ['code' => $code, 'out' => $lines]);
});

$app->post('/pack', function (Request $request, Response $response) use ($json) {
    $folder = $request->getParsedBody()['folder'] ?? 'htdocs';
    $target = ARCHIVE . '/' . date('Ymd-His') . '.tgz';
    exec('tar -C /srv/site -czf ' . $target . ' -- ' . escapeshellarg($folder), $lines, $code);
    return $json($response, ['code' => $code, 'file' => basename($target)]);
});

$app->post('/dump/{table}', function (Request $request, Response $response, array $args) use ($json) {
    $table = $args['table'];
    if (!ctype_alnum($table)) {
        return $json($response, ['error' => 'table'], 422);
    }
    shell_exec("mysqldump site $table > " . ARCHIVE . "/$table.sql");
    return $json($response, ['table' => $table], 201);
});

$app->get('/archive', function (Request $request, Response $response) use ($json) {
    $path = realpath(ARCHIVE . '/' . ($request->getQueryParams()['name'] ?? ''));
    if ($path === false || !str_starts_with($path, ARCHIVE . '/')) {
        return $json($response, ['error' => 'not found'], 404);
    }
    $response->getBody()->write(file_get_contents($path));
    return $response->withHeader('Content-Type', 'application/gzip');
});

$app->get('/manifest', function (Request $request, Response $response) use ($json) {
    $path = ARCHIVE . '/manifests/' . ($request->getQueryParams()['name'] ?? 'latest.json');
    if (!str_starts_with($path, ARCHIVE)) {
        return $json($response, ['error' => 'not found'], 404);
    }
    $response->getBody()->write((string) file_get_contents($path));
    return $response->withHeader('Content-Type', 'application/json');
});

$app->delete('/archive', function (Request $request, Response $response) use ($json) {
    $name = str_replace('../', '', $request->getQueryParams()['name'] ?? '');
    $done = is_file(ARCHIVE . "/$name") && unlink(ARCHIVE . "/$name");
    return $json($response, ['deleted' => $done]);
});

$app->run();
