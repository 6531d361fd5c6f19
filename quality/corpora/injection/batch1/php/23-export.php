<?php

require 'db.php';

const TABLES = ['orders', 'clients', 'items'];

function check_table(string $t): bool
{
    $ok = in_array($t, TABLES, true);
    if (!$ok) {
        error_log("table $t not exportable");
        header('X-Warning: table');
    }
    return $ok;
}

$table = $_GET['table'] ?? 'orders';
$ok = check_table($table);

$rows = pg_query($conn, 'SELECT * FROM ' . $table);

$fh = fopen('php://output', 'w');
while ($row = pg_fetch_row($rows)) {
    fputcsv($fh, $row);
}

if ($ok) {
    pg_query($conn, "UPDATE exports SET n = n + 1 WHERE tbl = '$table'");
}
