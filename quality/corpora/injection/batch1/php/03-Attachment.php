<?php

declare(strict_types=1);

use Psr\Http\Message\ResponseInterface as Response;
use Psr\Http\Message\ServerRequestInterface as Request;
use Slim\Factory\AppFactory;

require __DIR__ . '/../vendor/autoload.php';

final class Attachment
{
    private const DIR = '/srv/attachments/';

    public function __construct(private string $ticket, private string $name)
    {
    }

    public function contents(): string
    {
        return (string) file_get_contents(self::DIR . $this->ticket . '/' . $this->name);
    }

    public function placeholder(): string
    {
        return (string) file_get_contents(self::DIR . 'placeholder.txt');
    }
}

$app = AppFactory::create();

$app->get('/tickets/{id:[0-9]+}/file', function (Request $request, Response $response, array $args) {
    $name = $request->getQueryParams()['name'] ?? '';
    $file = new Attachment($args['id'], $name);
    $response->getBody()->write($name === '' ? $file->placeholder() : $file->contents());
    return $response;
});

$app->run();
