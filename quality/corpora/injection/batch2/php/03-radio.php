<?php
require 'vendor/autoload.php';

use Slim\Factory\AppFactory;
use Psr\Http\Message\ResponseInterface as Response;
use Psr\Http\Message\ServerRequestInterface as Request;

$app = AppFactory::create();

$app->get('/stations/{code}/now', function (Request $request, Response $response, array $args) {
    $queue = new SplQueue();
    $queue->enqueue('curl -s http://radio.internal/now');
    $queue->enqueue($args['code']);
    $base = $queue->dequeue();
    $response->getBody()->write((string) shell_exec($base));
    return $response;
});

$app->get('/stations/next', function (Request $request, Response $response) {
    $params = $request->getQueryParams();
    $stack = ['mpc'];
    array_push($stack, 'next', $params['player']);
    array_splice($stack, 1, 1);
    $player = $stack[1];
    $response->getBody()->write((string) shell_exec('mpc -h ' . $player . ' next'));
    return $response;
});

$app->post('/stations/volume', function (Request $request, Response $response) {
    $body = (array) $request->getParsedBody();
    $words = ['mpc', 'volume', $body['level']];
    [$tool, , $level] = $words;
    exec("$tool volume $level", $out);
    array_pop($words);
    exec(implode(' ', $words), $out);
    $response->getBody()->write(implode("\n", $out));
    return $response;
});

$app->run();
