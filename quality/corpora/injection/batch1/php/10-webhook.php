<?php

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$body = json_decode(file_get_contents('php://input'), true, 8, JSON_THROW_ON_ERROR);

$event = [
    'repo' => $body['repository']['full_name'] ?? '',
    'branch' => $body['ref'] ?? 'refs/heads/main',
    'count' => count($body['commits'] ?? []),
];

$packed = json_encode($event);
$copy = json_decode($packed);

$db = new SQLite3('/var/lib/hooks/hooks.db');
$db->exec('UPDATE totals SET commits = commits + ' . $copy->count);
$db->exec("INSERT INTO events(repo, at) VALUES ('" . $copy->repo . "', strftime('%s'))");

$stmt = $db->prepare('INSERT INTO raw(payload) VALUES (:p)');
$stmt->bindValue(':p', $packed, SQLITE3_TEXT);
$stmt->execute();

$branch = substr($copy->branch, strlen('refs/heads/'));
passthru("cd /srv/site && git checkout $branch");
