<?php

function clean_sql($text)
{
    return str_ireplace(['select', 'union', 'drop', '--', '#'], '', $text);
}

function clean_cmd($text)
{
    return str_replace([';', '&', '>', '<'], '', $text);
}

function clean_path($text)
{
    return str_replace(['etc', 'passwd', 'proc'], '', $text);
}

$db = new mysqli('db', 'web', getenv('PW'), 'web');

if (isset($_GET['q'])) {
    $q = clean_sql($_GET['q']);
    $rows = $db->query("SELECT id, title FROM page WHERE body LIKE '%$q%'");
    foreach ($rows as $row) {
        echo (int) $row['id'], ' ', htmlspecialchars($row['title']), "\n";
    }
} elseif (isset($_POST['host'])) {
    $host = clean_cmd($_POST['host']);
    passthru('nmap -F ' . $host);
} elseif (isset($_GET['file'])) {
    echo file_get_contents('/srv/pages/' . clean_path($_GET['file']));
} else {
    passthru('uptime');
}
