<?php
// login.php - part of the old members area

$dbh = new PDO('mysql:host=localhost;dbname=members', 'members', getenv('MEMBERS_PW'));
$con = new mysqli('localhost', 'members', getenv('MEMBERS_PW'), 'members');

$user = $_POST['user'];
$club = $_POST['club'];

$stmt = $dbh->prepare("SELECT id, hash FROM member WHERE name = :name AND club = '$club'");
$stmt->execute([':name' => $user]);
$member = $stmt->fetch();

if (!$member || !password_verify($_POST['pass'], $member['hash'])) {
    $miss = $con->prepare('INSERT INTO login_miss(name, ip) VALUES (?, ?)');
    $miss->bind_param('ss', $user, $_SERVER['REMOTE_ADDR']);
    $miss->execute();
    header('Location: /login?again=1');
    exit;
}

$agent = $_SERVER['HTTP_USER_AGENT'];
$seen = $con->prepare("UPDATE member SET agent = '" . $agent . "' WHERE id = ?");
$seen->bind_param('i', $member['id']);
$seen->execute();

$rows = $con->execute_query('SELECT role FROM role WHERE member = ? AND club = ?', [$member['id'], $club]);

session_start();
$_SESSION['roles'] = array_column($rows->fetch_all(MYSQLI_ASSOC), 'role');
header('Location: /home');
