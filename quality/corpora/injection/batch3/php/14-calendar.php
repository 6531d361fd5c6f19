<?php

$conn = pg_connect('host=db dbname=calendar user=cal');

$room = $_REQUEST['room'] ?? '';
$owner = $_REQUEST['owner'] ?? '';

function label(): string
{
    $room = 'lobby';

    return $room;
}

$first = pg_query($conn, "SELECT id FROM booking WHERE room = '" . label() . "'");
$second = pg_query($conn, "SELECT id FROM booking WHERE room = '" . $room . "'");

$owner = trim($owner);
$display = pg_escape_literal($conn, $owner);
$third = pg_query($conn, "SELECT id FROM booking WHERE owner = $display");

$owner = 'reception';
$fourth = pg_query($conn, "SELECT id FROM booking WHERE owner = '$owner'");

$day = date('Y-m-d');
if (isset($_GET['day'])) {
    $day = $_GET['day'];
}
$fifth = pg_query($conn, "SELECT id FROM booking WHERE day = '$day'");

foreach ([$first, $second, $third, $fourth, $fifth] as $i => $result) {
    printf("<section id=\"s%d\">%d</section>\n", $i, pg_num_rows($result));
}
