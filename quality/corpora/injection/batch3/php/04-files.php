<?php

use Psr\Http\Message\ResponseInterface as Response;
use Psr\Http\Message\ServerRequestInterface as Request;
use Slim\Exception\HttpNotFoundException;
use Slim\Factory\AppFactory;

require __DIR__ . '/vendor/autoload.php';

const FILES = '/srv/press/files/';

$app = AppFactory::create();

$app->get('/press/{name}', function (Request $request, Response $response, array $args) {
    $file = FILES . basename($args['name']);
    if (!is_file($file)) {
        throw new HttpNotFoundException($request);
    }
    $response->getBody()->write(file_get_contents($file));

    return $response->withHeader('Content-Type', 'application/pdf');
});

$app->get('/press', function (Request $request, Response $response) {
    $q = $request->getQueryParams();
    $file = FILES . ($q['folder'] ?? 'all') . '/' . basename($q['name'] ?? 'index.html');
    $response->getBody()->write(file_get_contents($file));

    return $response;
});

$app->delete('/press', function (Request $request, Response $response) {
    $body = (array) $request->getParsedBody();
    $shown = basename($body['name']);
    if (unlink(FILES . $body['name'])) {
        $response->getBody()->write("$shown removed");
    }

    return $response;
});

$app->addBodyParsingMiddleware();
$app->run();
