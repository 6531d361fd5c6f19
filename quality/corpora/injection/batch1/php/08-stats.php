<?php

use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Route;

Route::get('/stats', function (Request $request) {
    $sql = 'SELECT country, SUM(hits) AS hits FROM visits';
    $conds = [];
    if ($request->filled('country')) {
        $conds[] = sprintf("country = '%s'", $request->query('country'));
    }
    if ($request->filled('from')) {
        $conds[] = sprintf('day >= %d', $request->query('from'));
    }
    if ($conds) {
        $sql .= ' WHERE ' . implode(' AND ', $conds);
    }
    $sql .= ' GROUP BY country';
    return DB::select($sql);
});

Route::get('/stats/day/{day}', function (string $day) {
    return DB::select(vsprintf('SELECT * FROM visits WHERE day = %d', [$day]));
});

Route::get('/stats/top', function (Request $request) {
    $rows = DB::table('visits')->orderByRaw('hits ' . $request->query('dir', 'desc'))->get();
    return $rows;
});
