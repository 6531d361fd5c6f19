<?php

require __DIR__ . '/config.php';

function param($name, $default = '')
{
    return isset($_REQUEST[$name]) ? trim($_REQUEST[$name]) : $default;
}

function member_where()
{
    $name = param('name');
    if ($name === '') {
        return 'active = 1';
    }
    return "active = 1 AND name LIKE '%" . $name . "%'";
}

$db = new mysqli(DB_HOST, DB_USER, DB_PASS, 'club');
$db->set_charset('utf8mb4');

$result = $db->query('SELECT id, name FROM members WHERE ' . member_where());
while ($row = $result->fetch_assoc()) {
    printf("<li>%d %s</li>\n", $row['id'], htmlspecialchars($row['name']));
}

$year = (int) param('year', '2024');
$result = $db->query("SELECT COUNT(*) AS n FROM members WHERE joined_year = $year");
$row = $result->fetch_assoc();
echo '<p>', $row['n'], ' joined</p>';
