<?php

use Psr\Http\Message\ResponseInterface as Response;
use Psr\Http\Message\ServerRequestInterface as Request;
use Slim\Factory\AppFactory;

final class Storage
{
    private string $root;

    public function __construct(string $root)
    {
        $this->root = realpath($root);
    }

    public function read(string $name): string
    {
        $real = realpath($this->root . '/' . $name);
        if ($real === false || !str_starts_with($real, $this->root . DIRECTORY_SEPARATOR)) {
            throw new RuntimeException('File not found');
        }
        return file_get_contents($real);
    }

    public function write(string $name, string $content): void
    {
        $clean = str_replace('../', '', $name);
        file_put_contents("{$this->root}/$clean", $content);
    }

    public function remove(string $folder, string $name): bool
    {
        $path = implode('/', [$this->root, $folder, basename($name)]);
        return unlink($path);
    }

    public function thumbnail(string $name): string
    {
        return file_get_contents($this->root . '/.thumbs/' . sha1($name) . '.png');
    }
}

$storage = new Storage('/srv/share');
$app = AppFactory::create();
$app->addBodyParsingMiddleware();

$app->get('/files', function (Request $request, Response $response) use ($storage) {
    $query = $request->getQueryParams() + ['name' => '', 'size' => 'full'];
    $content = $query['size'] === 'thumb'
        ? $storage->thumbnail($query['name'])
        : $storage->read($query['name']);
    $response->getBody()->write($content);
    return $response->withHeader('Content-Type', 'application/octet-stream');
});

$app->post('/files', function (Request $request, Response $response) use ($storage) {
    ['name' => $name, 'content' => $content] = $request->getParsedBody();
    $storage->write($name, $content);
    return $response->withStatus(201);
});

$app->delete('/files', function (Request $request, Response $response) use ($storage) {
    $body = $request->getParsedBody();
    $removed = $storage->remove($body['folder'] ?? 'inbox', $body['name']);
    return $response->withStatus($removed ? 204 : 404);
});

$app->run();
