<?php

namespace App\Http\Controllers;

use App\Models\Product;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;

class SearchController extends Controller
{
    public function index(Request $request)
    {
        return Product::where('maker', $request->string('maker'))->orderBy('id')->get();
    }

    public function color(Request $request)
    {
        return Product::whereRaw("color = '" . $request->input('color') . "'")->get();
    }

    public function bound(Request $request)
    {
        return Product::whereRaw('lower(title) = ?', [strtolower($request->input('title'))])->get();
    }

    public function stats(Request $request)
    {
        return DB::table('products')->selectRaw('count(*), ' . $request->input('column'))->get();
    }

    public function having(Request $request)
    {
        return DB::table('sales')->groupBy('sku')->havingRaw("sum(qty) > {$request->input('min')}")->get('sku');
    }

    public function purge(Request $request)
    {
        DB::delete("DELETE FROM products WHERE batch = '{$request->route('batch')}'");
        return response()->noContent();
    }
}
