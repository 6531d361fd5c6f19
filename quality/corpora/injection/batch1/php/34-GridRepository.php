<?php

namespace App\Repository;

use PDO;
use Psr\Http\Message\ServerRequestInterface;

class GridRepository
{
    private const COLUMNS = ['id', 'name', 'created'];

    public function __construct(private PDO $pdo)
    {
    }

    private function esc(string $v): string
    {
        return substr($this->pdo->quote($v), 1, -1);
    }

    public function handle(ServerRequestInterface $request): array
    {
        $q = $request->getQueryParams();
        return [
            'all' => $this->sorted($q['sort'] ?? 'id'),
            'checked' => $this->checked($q['sort'] ?? 'id'),
            'page' => $this->page($q['size'] ?? '10'),
        ];
    }

    private function sorted(string $sort): array
    {
        return $this->pdo->query('SELECT * FROM cell ORDER BY ' . $this->esc($sort))->fetchAll();
    }

    private function checked(string $sort): array
    {
        if (!in_array($sort, self::COLUMNS, true)) {
            $sort = 'id';
        }
        return $this->pdo->query("SELECT * FROM cell ORDER BY `$sort`")->fetchAll();
    }

    private function page(string $size): array
    {
        return $this->pdo->query('SELECT * FROM cell LIMIT ' . $this->esc($size))->fetchAll();
    }
}
