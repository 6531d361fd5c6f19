<?php
declare(strict_types=1);

require __DIR__ . '/../config/db.php';

$pdo = new PDO(DB_DSN, DB_USER, DB_PASS, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);

function input(string $key, string $default = ''): string
{
    return isset($_GET[$key]) ? trim((string) $_GET[$key]) : $default;
}

function fetchAll(PDO $pdo, string $sql): array
{
    return $pdo->query($sql)->fetchAll(PDO::FETCH_ASSOC);
}

function fetchBound(PDO $pdo, string $sql, array $params): array
{
    $stmt = $pdo->prepare($sql);
    $stmt->execute($params);
    return $stmt->fetchAll(PDO::FETCH_ASSOC);
}

$state = input('state', 'open');
$customer = input('customer');

$open = fetchAll($pdo, "SELECT id, total FROM orders WHERE state = '$state'");
$mine = fetchBound($pdo, 'SELECT id, total FROM orders WHERE customer = ?', [$customer]);

header('Content-Type: application/json');
echo json_encode(['open' => $open, 'mine' => $mine]);
