<?php

use Psr\Http\Message\ResponseInterface as Response;
use Psr\Http\Message\ServerRequestInterface as Request;
use Psr\Http\Server\RequestHandlerInterface as Handler;
use Slim\Exception\HttpNotFoundException;
use Slim\Factory\AppFactory;
use Slim\Psr7\Stream;

require __DIR__ . '/../vendor/autoload.php';

const DOCS = '/srv/docs';

$app = AppFactory::create();
$app->addBodyParsingMiddleware();

$app->add(function (Request $request, Handler $handler): Response {
    $skin = $request->getHeaderLine('X-Skin') ?: 'default.css';
    return $handler->handle($request->withAttribute('skin', $skin));
});

function resolve(Request $request, string $path): string
{
    $real = realpath(DOCS . '/' . $path);
    if ($real === false || !str_starts_with($real, DOCS . '/')) {
        throw new HttpNotFoundException($request);
    }
    return $real;
}

$app->get('/docs/{path:.+}', function (Request $request, Response $response, array $args) {
    $stream = fopen(resolve($request, $args['path']), 'rb');
    return $response->withBody(new Stream($stream));
});

$app->get('/skin', function (Request $request, Response $response) {
    $sheet = sprintf('/srv/skins/%s', $request->getAttribute('skin'));
    $response->getBody()->write(file_get_contents($sheet));
    return $response->withHeader('Content-Type', 'text/css');
});

$app->post('/notes', function (Request $request, Response $response) {
    ['title' => $title, 'text' => $text] = (array) $request->getParsedBody();
    $slug = trim(preg_replace('/[^a-z0-9]+/', '-', strtolower($title)), '-');
    file_put_contents(DOCS . "/notes/$slug.md", $text);
    return $response->withStatus(201);
});

$app->delete('/notes', function (Request $request, Response $response) {
    $name = $request->getQueryParams()['name'] ?? '';
    if (str_starts_with($name, '/') || str_starts_with($name, '..')) {
        throw new HttpNotFoundException($request);
    }
    unlink(DOCS . '/notes/' . $name);
    return $response->withStatus(204);
});

$app->post('/covers', function (Request $request, Response $response) {
    $body = (array) $request->getParsedBody();
    $image = base64_decode($body['image'] ?? '');
    $extension = pathinfo($body['filename'] ?? '', PATHINFO_EXTENSION) ?: 'png';
    $base = str_replace('.' . $extension, '', $body['filename'] ?? 'cover');
    file_put_contents("/srv/covers/$base." . strtolower($extension), $image);
    return $response->withStatus(201);
});

$app->run();
