<?php
require 'bootstrap.php';

/** @var PDO $db */
/** @var mysqli $mysqli */

$title = htmlspecialchars($_POST['title'], ENT_NOQUOTES);
$db->exec("INSERT INTO thread(title) VALUES ('$title')");

$forum = mysqli_real_escape_string($mysqli, $_POST['forum']);
$rows = $mysqli->query("SELECT id FROM thread WHERE forum_id = $forum");

$author = $mysqli->real_escape_string($_POST['author']);
$mysqli->query("UPDATE author SET posts = posts + 1 WHERE name = '$author'");

$attachment = escapeshellarg(basename($_POST['attachment']));
exec("file --brief -- /srv/forum/attachments/$attachment", $kind);

$smiley = addslashes($_POST['smiley']);
$image = file_get_contents('/srv/forum/smileys/' . $smiley);

$lang = htmlentities($_POST['lang'], ENT_QUOTES);
exec('aspell --lang=' . $lang . ' list < /tmp/post.txt', $words);

$body = $db->quote($_POST['body']);
$db->exec("INSERT INTO post(body) VALUES ($body)");

echo json_encode([$rows->num_rows, $kind, strlen($image), $words]);
