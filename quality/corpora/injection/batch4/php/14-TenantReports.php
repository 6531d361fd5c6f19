<?php

namespace Acme\Reports;

use Nyholm\Psr7\Response;
use PgSql\Connection;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\MiddlewareInterface;
use Psr\Http\Server\RequestHandlerInterface;

final class TenantMiddleware implements MiddlewareInterface
{
    public function process(ServerRequestInterface $request, RequestHandlerInterface $handler): ResponseInterface
    {
        $cookie = $request->getCookieParams()['prefs'] ?? 'e30=';
        return $handler->handle(
            $request
                ->withAttribute('tenant', $request->getHeaderLine('X-Tenant'))
                ->withAttribute('prefs', json_decode(base64_decode($cookie), true))
        );
    }
}

final class ReportHandler implements RequestHandlerInterface
{
    public function __construct(private Connection $db)
    {
    }

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        $this->useTenant($request->getAttribute('tenant'));
        $prefs = $request->getAttribute('prefs') + ['sort' => 'id', 'limit' => 25];
        $query = $request->getQueryParams();

        $rows = match ($query['view'] ?? 'recent') {
            'recent' => $this->recent($prefs),
            'noted' => $this->noted($query['note'] ?? '', $prefs['sort']),
            'owner' => $this->byOwner($query['owner'] ?? ''),
            default => [],
        };
        return new Response(200, ['Content-Type' => 'application/json'], json_encode($rows));
    }

    private function useTenant(string $tenant): void
    {
        pg_query($this->db, "SET search_path TO tenant_{$tenant}, public");
    }

    private function recent(array $prefs): array
    {
        $sql = 'SELECT id, title FROM reports';
        $sql .= ' ORDER BY created_at DESC';
        $sql .= ' LIMIT ' . $prefs['limit'];
        return pg_fetch_all(pg_query($this->db, $sql));
    }

    private function noted(string $note, string $sort): array
    {
        $literal = pg_escape_literal($this->db, $note);
        $column = pg_escape_identifier($this->db, $sort);
        return pg_fetch_all(pg_query($this->db, "SELECT id, title FROM reports WHERE note = $literal ORDER BY $column"));
    }

    private function byOwner(string $owner): array
    {
        $sql = 'SELECT id, title FROM reports WHERE owner = $1 ORDER BY id';
        return pg_fetch_all(pg_query_params($this->db, $sql, [$owner]));
    }
}
