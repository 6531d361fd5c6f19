<?php

$db = new SQLite3('/var/lib/club/members.sqlite');

$quote = fn (string $v): string => "'" . $v . "'";
$escape = fn (string $v): string => "'" . SQLite3::escapeString($v) . "'";

$list = static function (array $values, callable $how): string {
    return implode(', ', array_map($how, $values));
};

$groups = (array) ($_POST['groups'] ?? []);
$names = (array) ($_POST['names'] ?? []);
$ids = array_map('intval', (array) ($_POST['ids'] ?? []));

$byGroup = $db->query('SELECT id, name FROM member WHERE grp IN (' . $list($groups, $quote) . ')');
$byName = $db->query('SELECT id, name FROM member WHERE name IN (' . $list($names, $escape) . ')');
$byId = $db->query('SELECT id, name FROM member WHERE id IN (' . implode(',', $ids) . ')');

$suffix = $_POST['filter'] ?? '';
$find = function (string $table) use ($db, $suffix) {
    return $db->querySingle("SELECT count(*) FROM $table WHERE note LIKE '%$suffix'");
};

$remove = fn (callable $name): bool => $db->exec("DELETE FROM invite WHERE mail = '" . $name() . "'");
if (isset($_POST['uninvite'])) {
    $remove(fn () => $_POST['uninvite']);
}

$collect = function (SQLite3Result $result): array {
    $rows = [];
    while ($row = $result->fetchArray(SQLITE3_ASSOC)) {
        $rows[] = $row;
    }

    return $rows;
};

echo json_encode([
    'groups' => $collect($byGroup),
    'names' => $collect($byName),
    'ids' => $collect($byId),
    'noted' => $find('member'),
]);
