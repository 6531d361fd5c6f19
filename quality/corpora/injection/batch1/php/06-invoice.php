<?php

session_start();

$pdo = new PDO('pgsql:host=db;dbname=billing', 'app', getenv('DB_PASSWORD'));
$pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);

$filter = [
    'status' => 'open',
    'customer' => $_GET['customer'] ?? '',
    'order' => 'due_on',
];

$open = $pdo->query("SELECT id FROM invoices WHERE status = '{$filter['status']}' ORDER BY {$filter['order']}");
$ids = $open->fetchAll(PDO::FETCH_COLUMN);

$mine = $pdo->query("SELECT id, total FROM invoices WHERE customer = '{$filter['customer']}'");

?>
<h1><?= count($ids) ?> open</h1>
<table>
<?php foreach ($mine as $row): ?>
  <tr>
    <td><?= (int) $row['id'] ?></td>
    <td><?= number_format($row['total'], 2) ?></td>
  </tr>
<?php endforeach ?>
</table>
