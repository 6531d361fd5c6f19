<?php

$db = mysqli_connect('db', 'news', getenv('NEWS_PW'), 'news');

if (empty($_POST['email'])) {
    header('Location: /subscribe');
    exit;
}

$email = htmlspecialchars($_POST['email'] ?? '', ENT_NOQUOTES);
$res = mysqli_query($db, "SELECT id FROM subscriber WHERE email = '$email'");

if (mysqli_num_rows($res) === 0) {
    $name = mysqli_real_escape_string($db, $_POST['name'] ?? '');
    $mail = mysqli_real_escape_string($db, $_POST['email'] ?? '');
    mysqli_query($db, "INSERT INTO subscriber(name, email) VALUES ('$name', '$mail')");

    $who = addslashes($_POST['name'] ?? '');
    exec("sendwelcome --name $who");

    $list = strip_tags($_POST['list'] ?? 'weekly');
    file_put_contents('/srv/news/' . $list . '.txt', $mail . "\n", FILE_APPEND);
}

header('Location: /thanks');
exit;
