<?php
$pg = pg_connect('host=db dbname=cdr user=cdr');
$fields = $_GET['f'] ?? [];

$trunk = 'default';
foreach ($fields as $key => $value) {
    if ($key === 'trunk') {
        $trunk = $value;
        break;
    }
}
$r = pg_query($pg, "SELECT * FROM calls WHERE trunk = '$trunk'");
echo json_encode(pg_fetch_all($r)), "\n";

$order = 'started';
foreach (['started', 'ended', 'seconds'] as $column) {
    if (($fields['order'] ?? '') !== $column) {
        continue;
    }
    $order = $column;
}
$r = pg_query($pg, 'SELECT * FROM calls ORDER BY ' . $order);
echo json_encode(pg_fetch_all($r)), "\n";

$numbers = [];
for ($i = 0; $i < count($fields['n'] ?? []); $i++) {
    $n = $fields['n'][$i];
    if ($n === '') {
        continue;
    }
    if (!ctype_digit($n)) {
        break;
    }
    $numbers[] = $n;
}
$in = $numbers ? implode(',', $numbers) : 'NULL';
$r = pg_query($pg, "SELECT count(*) FROM calls WHERE callee IN ($in)");
echo pg_fetch_result($r, 0, 0), "\n";

$note = '';
while (strlen($note) < 40 && ($line = array_shift($fields)) !== null) {
    $note .= is_array($line) ? implode(' ', $line) : $line;
}
pg_query($pg, "INSERT INTO lookups(note) VALUES ('$note')");
