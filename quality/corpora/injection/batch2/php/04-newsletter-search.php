<?php

$link = mysqli_connect('db', 'news', getenv('DB_PASS'), 'newsletter');

$sql = 'SELECT id, email FROM subscriber';
$where = [];

if (!empty($_POST['domain'])) {
    $where[] = "email LIKE '%@" . $_POST['domain'] . "'";
}
if (!empty($_POST['list'])) {
    $where[] = 'list_id = ' . (int) $_POST['list'];
}
if ($where) {
    $sql .= ' WHERE ' . implode(' AND ', $where);
}
$sql .= ' ORDER BY email';

$result = mysqli_query($link, $sql);
while ($row = mysqli_fetch_assoc($result)) {
    printf("<li>%s</li>\n", htmlspecialchars($row['email']));
}

$count = 'SELECT COUNT(*) FROM subscriber WHERE 1';
foreach (['list', 'year', 'month'] as $field) {
    if (isset($_POST[$field]) && ctype_digit($_POST[$field])) {
        $count .= " AND {$field}_id = " . $_POST[$field];
    }
}
$total = mysqli_query($link, $count);
echo '<p>' . mysqli_fetch_row($total)[0] . '</p>';

$log = '';
$log .= date('c') . ' ';
$log .= mysqli_real_escape_string($link, $_POST['domain'] ?? '');
mysqli_query($link, "INSERT INTO searches(txt) VALUES ('$log')");
