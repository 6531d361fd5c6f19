<?php

declare(strict_types=1);

require __DIR__ . '/../bootstrap.php';

$db = mysqli_connect('localhost', 'ledger', getenv('LEDGER_PW'), 'ledger');
mysqli_set_charset($db, 'utf8mb4');

function escaped(mysqli $db, string $key, string $fallback = ''): string
{
    return mysqli_real_escape_string($db, $_GET[$key] ?? $fallback);
}

$account = escaped($db, 'account', '0');
$label = escaped($db, 'label');

$result = mysqli_query($db, "SELECT id, amount FROM entry WHERE account_id = $account ORDER BY id");
$entries = mysqli_fetch_all($result, MYSQLI_ASSOC);

$result = mysqli_query($db, "SELECT count(*) FROM entry WHERE label = '$label'");
[$matches] = mysqli_fetch_row($result);

$year = escaped($db, 'year', date('Y'));
$sum = $db->query('SELECT SUM(amount) FROM entry WHERE YEAR(booked) = ' . $year)->fetch_row()[0];

$month = (int) ($_GET['month'] ?? 1);
$part = $db->query('SELECT SUM(amount) FROM entry WHERE MONTH(booked) = ' . $month)->fetch_row()[0];

header('Content-Type: application/json');
echo json_encode(['entries' => $entries, 'matches' => $matches, 'sum' => $sum, 'part' => $part]);
