<?php

use Bref\Context\Context;
use Bref\Event\Http\HttpHandler;
use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;

class StatsHandler implements RequestHandlerInterface
{
    private \PDO $pdo;

    public function __construct()
    {
        $this->pdo = new \PDO(getenv('DSN'));
    }

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        $q = $request->getQueryParams();
        $period = $q['period'] ?? 'day';
        $unit = $period === 'week' ? 'week' : ($period === 'month' ? 'month' : 'day');
        $views = $this->pdo->query("SELECT date_trunc('$unit', at) d, count(*) c FROM view GROUP BY d");

        $site = $q['site'] ?: 'main';
        $hits = $this->pdo->query("SELECT count(*) FROM hit WHERE site = '$site'");

        $lang = match (true) {
            isset($q['lang']) => $q['lang'],
            default => 'en',
        };
        $this->pdo->exec("INSERT INTO lookup(lang) VALUES ('" . $lang . "')");

        return new Response(200, [], json_encode([
            'views' => $views->fetchAll(),
            'hits' => $hits->fetchColumn(),
        ]));
    }
}

return new StatsHandler();
