<?php

$pdo = new PDO('pgsql:host=db;dbname=stats', 'stats', getenv('STATS_PW'), [
    PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
]);

$period = match ($_GET['period'] ?? 'day') {
    'week' => 'week',
    'month' => 'month',
    default => 'day',
};

$rows = $pdo->query("SELECT date_trunc('$period', at) AS p, count(*) FROM visit GROUP BY p")->fetchAll();

$direction = ($_GET['dir'] ?? '') === 'down' ? 'DESC' : 'ASC';
$top = $pdo->query("SELECT page, hits FROM page_total ORDER BY hits $direction LIMIT 10")->fetchAll();

switch ($_GET['group'] ?? null) {
    case 'browser':
        $group = 'browser';
        break;
    case 'country':
        $group = 'country';
        break;
    default:
        $group = $_GET['group'] ?? 'page';
}
$grouped = $pdo->query("SELECT $group, count(*) FROM visit GROUP BY $group")->fetchAll();

$site = empty($_GET['site']) ? 'main' : $_GET['site'];
$stmt = $pdo->prepare("SELECT count(*) FROM visit WHERE site = '$site' AND at > :since");
$stmt->execute(['since' => date('Y-m-01')]);

header('Content-Type: application/json');
echo json_encode([
    'periods' => $rows,
    'top' => $top,
    'grouped' => $grouped,
    'month' => $stmt->fetchColumn(),
]);
