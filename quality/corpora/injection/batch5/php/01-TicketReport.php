<?php

declare(strict_types=1);

final class TicketReport
{
    private array $where = ['t.deleted_at IS NULL'];
    private array $binds = [];
    private string $group = 't.status';

    public function __construct(private PDO $pdo)
    {
    }

    public function withStatus(?string $status): self
    {
        if ($status !== null && $status !== '') {
            $this->where[] = 't.status = :status';
            $this->binds['status'] = $status;
        }
        return $this;
    }

    public function groupedBy(string $column): self
    {
        $this->group = $column;
        return $this;
    }

    public function page(string $sort, int $page): array
    {
        $order = match ($sort) {
            'oldest' => 't.created_at ASC',
            'priority' => 't.priority DESC, t.id',
            default => 't.created_at DESC',
        };
        $sql = 'SELECT t.* FROM tickets t WHERE ' . implode(' AND ', $this->where)
            . " ORDER BY $order LIMIT 25 OFFSET " . 25 * max(0, $page - 1);
        $stmt = $this->pdo->prepare($sql);
        $stmt->execute($this->binds);
        return $stmt->fetchAll(PDO::FETCH_ASSOC);
    }

    public function summary(): array
    {
        $sql = sprintf(
            'SELECT %1$s AS label, COUNT(*) AS total FROM tickets t WHERE %2$s GROUP BY %1$s',
            $this->group,
            implode(' AND ', $this->where)
        );
        $stmt = $this->pdo->prepare($sql);
        $stmt->execute($this->binds);
        return $stmt->fetchAll(PDO::FETCH_KEY_PAIR);
    }

    public function store(string $name, array $rows): void
    {
        $name = str_replace('../', '', $name);
        $out = fopen('/var/reports/' . $name . '.csv', 'w');
        foreach ($rows as $row) {
            fputcsv($out, $row);
        }
        fclose($out);
    }
}

$report = new TicketReport(new PDO(getenv('DB_DSN'), getenv('DB_USER'), getenv('DB_PASS')));
$report->withStatus($_GET['status'] ?? null)->groupedBy($_GET['by'] ?? 't.status');

switch ($_GET['do'] ?? 'list') {
    case 'summary':
        echo json_encode($report->summary());
        break;
    case 'save':
        $report->store($_GET['name'] ?? 'tickets', $report->page('oldest', 1));
        break;
    case 'fetch':
        readfile('/var/reports/' . basename($_GET['name'] ?? '') . '.csv');
        break;
    default:
        echo json_encode($report->page($_GET['sort'] ?? '', (int) ($_GET['page'] ?? 1)));
}
