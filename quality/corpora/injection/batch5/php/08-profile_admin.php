<?php

require_once 'inc/session.php';

$db = mysqli_connect('localhost', 'intranet', getenv('INTRANET_PW'), 'intranet');
mysqli_set_charset($db, 'utf8mb4');

function q($value)
{
    global $db;
    return mysqli_real_escape_string($db, (string) $value);
}

function find_user($login)
{
    global $db;
    $result = mysqli_query($db, "SELECT id, login, level FROM users WHERE login = '" . q($login) . "'");
    return mysqli_fetch_assoc($result);
}

function users_at_level($level)
{
    global $db;
    $result = mysqli_query($db, 'SELECT id, login FROM users WHERE level >= ' . q($level));
    return mysqli_fetch_all($result, MYSQLI_ASSOC);
}

function save_profile($id, array $fields)
{
    global $db;
    $sets = array();
    foreach ($fields as $column => $value) {
        $sets[] = "$column = '" . q($value) . "'";
    }
    $sql = sprintf('UPDATE profiles SET %s WHERE user_id = %d', implode(', ', $sets), $id);
    return mysqli_query($db, $sql);
}

function recent_logins($page)
{
    global $db;
    $offset = max(0, (int) $page - 1) * 20;
    $result = mysqli_query($db, "SELECT * FROM logins ORDER BY at DESC LIMIT 20 OFFSET $offset");
    return mysqli_fetch_all($result, MYSQLI_ASSOC);
}

function remember_language()
{
    $language = isset($_COOKIE['lang']) ? $_COOKIE['lang'] : 'en';
    return require 'lang/' . htmlspecialchars($language) . '.php';
}

$texts = remember_language();

switch (isset($_REQUEST['action']) ? $_REQUEST['action'] : '') {
    case 'user':
        $out = find_user($_GET['login']);
        break;
    case 'level':
        $out = users_at_level($_GET['level']);
        break;
    case 'save':
        $out = save_profile($_SESSION['user_id'], $_POST['profile']);
        break;
    default:
        $out = recent_logins(isset($_GET['page']) ? $_GET['page'] : 1);
}

header('Content-Type: application/json');
echo json_encode(array('title' => $texts['title'], 'data' => $out));
