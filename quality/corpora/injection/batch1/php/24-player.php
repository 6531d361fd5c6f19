<?php

$id = filter_input(INPUT_GET, 'id', FILTER_VALIDATE_INT);
$season = $_GET['season'] ?? '2024';
$limit = intval($_GET['limit'] ?? 10);

$pdo = new PDO('mysql:host=db;dbname=league', 'league', getenv('PW'));

if ($id === false || $id === null) {
    http_response_code(400);
    exit('id?');
}

$player = $pdo->query("SELECT * FROM player WHERE id = $id")->fetch();

if (intval($season) < 1990) {
    exit('season?');
}
$games = $pdo->query("SELECT * FROM game WHERE player = $id AND season = $season LIMIT $limit");

$age = $_GET['age'] ?? 0;
settype($age, 'integer');
$peers = $pdo->query('SELECT id FROM player WHERE age = ' . $age);

echo json_encode([$player, $games->fetchAll(), $peers->fetchAll()]);
