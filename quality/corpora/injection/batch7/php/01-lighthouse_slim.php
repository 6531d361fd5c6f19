<?php

declare(strict_types=1);

use Psr\Http\Message\ResponseInterface as Response;
use Psr\Http\Message\ServerRequestInterface as Request;
use Slim\Factory\AppFactory;

require __DIR__ . '/../vendor/autoload.php';

const CHARTS = '/srv/lighthouse/charts';

$pdo = new PDO('mysql:host=localhost;dbname=lighthouse;charset=utf8mb4', 'keeper', getenv('DB_PASSWORD') ?: '');
$pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);

$app = AppFactory::create();

function json(Response $response, mixed $data, int $status = 200): Response
{
    $response->getBody()->write(json_encode($data));
    return $response->withStatus($status)->withHeader('Content-Type', 'application/json');
}

$app->get('/watches', function (Request $request, Response $response) use ($pdo) {
    $query = $request->getQueryParams();
    $column = match ($query['sort'] ?? '') {
        'wind' => 'wind_speed',
        'sea' => 'sea_state',
        default => 'started_at',
    };
    $statement = $pdo->prepare("SELECT * FROM watches WHERE keeper = :keeper ORDER BY $column");
    $statement->execute(['keeper' => $query['keeper'] ?? '']);
    return json($response, $statement->fetchAll(PDO::FETCH_ASSOC));
});

$app->get('/passages', function (Request $request, Response $response) use ($pdo) {
    $query = $request->getQueryParams();
    $column = addslashes($query['sort'] ?? 'seen_at');
    $rows = $pdo->query("SELECT * FROM passages ORDER BY `$column` DESC LIMIT 50");
    return json($response, $rows->fetchAll(PDO::FETCH_ASSOC));
});

$app->get('/charts/{name}', function (Request $request, Response $response, array $args) {
    $path = realpath(CHARTS . '/' . $args['name']);
    if ($path === false || !str_starts_with($path, CHARTS . '/')) {
        return json($response, ['error' => 'unknown chart'], 404);
    }
    $response->getBody()->write(file_get_contents($path));
    return $response->withHeader('Content-Type', 'image/png');
});

$app->get('/overlays', function (Request $request, Response $response) {
    $name = $request->getQueryParams()['name'] ?? '';
    if (str_contains($name, '/') || str_contains($name, '\\')) {
        return json($response, ['error' => 'bad name'], 400);
    }
    $file = CHARTS . '/overlays/' . rawurldecode($name);
    $response->getBody()->write((string) file_get_contents($file));
    return $response->withHeader('Content-Type', 'image/svg+xml');
});

$app->post('/watches/{id}/remark', function (Request $request, Response $response, array $args) use ($pdo) {
    $remark = $pdo->quote((string) ($request->getParsedBody()['remark'] ?? ''));
    $id = (int) $args['id'];
    $changed = $pdo->exec("UPDATE watches SET remark = $remark WHERE id = $id");
    return json($response, ['changed' => $changed]);
});

$app->run();
