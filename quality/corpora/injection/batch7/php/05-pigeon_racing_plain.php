<?php

session_start();

$db = new mysqli('localhost', 'loft', getenv('LOFT_DB'), 'pigeons');
$db->set_charset('utf8mb4');

$pages = [
    'races' => 'races.php',
    'lofts' => 'lofts.php',
    'weather' => 'weather.php',
];

function fail(string $message, int $code = 400): never
{
    http_response_code($code);
    echo htmlspecialchars($message);
    exit;
}

function ring_details(mysqli $db, string $ring): ?array
{
    if (!ctype_digit($ring)) {
        fail('ring numbers have digits only');
    }
    $result = $db->query("SELECT * FROM birds WHERE ring = $ring");
    return $result->fetch_assoc();
}

function race_results(mysqli $db, string $race): array
{
    $valid = is_numeric($race);
    $result = $db->query('SELECT ring, clocked FROM results WHERE race_id = ' . $race . ' ORDER BY clocked');
    $rows = $result->fetch_all(MYSQLI_ASSOC);
    return ['valid' => $valid, 'rows' => $rows];
}

function register_bird(mysqli $db, array $form): int
{
    $statement = $db->prepare('INSERT INTO birds (ring, colour, owner) VALUES (?, ?, ?)');
    $statement->bind_param('iss', $form['ring'], $form['colour'], $form['owner']);
    $statement->execute();
    return $statement->insert_id;
}

switch ($_GET['do'] ?? 'page') {
    case 'ring':
        echo json_encode(ring_details($db, $_GET['ring'] ?? ''));
        break;

    case 'results':
        echo json_encode(race_results($db, $_GET['race'] ?? '0'));
        break;

    case 'register':
        echo json_encode(['id' => register_bird($db, $_POST)]);
        break;

    case 'certificate':
        $style = $_COOKIE['style'] ?? 'plain';
        $file = __DIR__ . '/certificates/' . $style . '.html';
        echo strtr(file_get_contents($file), ['{{owner}}' => htmlspecialchars($_SESSION['owner'] ?? '')]);
        break;

    default:
        $page = $_GET['page'] ?? 'races';
        if (!isset($pages[$page])) {
            fail('no such page', 404);
        }
        include __DIR__ . '/pages/' . $pages[$page];
}
