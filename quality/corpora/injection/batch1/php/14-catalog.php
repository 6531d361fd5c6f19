<?php

$link = mysqli_connect('db', 'shop', getenv('SHOP_PW'), 'shop');

switch ($_GET['sort'] ?? '') {
    case 'price':
        $order = 'price';
        break;
    case 'name':
        $order = 'title';
        break;
    default:
        $order = 'id';
}
$dir = ($_GET['dir'] ?? '') === 'desc' ? 'DESC' : 'ASC';

$items = mysqli_query($link, "SELECT * FROM items ORDER BY $order $dir");

$lang = match (true) {
    empty($_COOKIE['lang']) => 'en',
    default => $_COOKIE['lang'],
};
$labels = mysqli_query($link, "SELECT k, v FROM labels WHERE lang = '$lang'");

foreach ($labels as $label) {
    $text[$label['k']] = $label['v'];
}
foreach ($items as $item) {
    echo htmlspecialchars(($text['item'] ?? 'Item') . ' ' . $item['title']), "<br>\n";
}
