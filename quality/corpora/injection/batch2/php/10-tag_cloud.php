<?php

$db = new SQLite3('/srv/tags/tags.db');

function parsePair(string $text): array
{
    $pos = strpos($text, ':');
    return $pos === false
        ? ['tag', $text, 0]
        : [substr($text, 0, $pos), substr($text, $pos + 1), $pos];
}

[, $value, $pos] = parsePair($_REQUEST['pair'] ?? '');
['from' => $from] = $_GET + ['from' => '2024-01-01'];

$res = $db->query("SELECT tag, n FROM cloud WHERE tag = '$value'");
while ($row = $res->fetchArray(SQLITE3_ASSOC)) {
    echo $row['tag'], ' ', $row['n'], "\n";
}

$db->exec("INSERT INTO positions(n) VALUES ($pos)");

list($a, list(, $b)) = ['x', ['y', $from]];
echo $db->querySingle("SELECT count(*) FROM cloud WHERE added > '$b'"), "\n";
echo strtoupper($a), "\n";
