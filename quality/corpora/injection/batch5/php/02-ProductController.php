<?php

namespace App\Http\Controllers;

use App\Models\Product;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;

class ProductController extends Controller
{
    private const SORTABLE = ['name', 'price', 'created_at'];

    public function index(Request $request): JsonResponse
    {
        $sort = $request->query('sort');
        $sort = in_array($sort, self::SORTABLE, true) ? $sort : 'id';
        $dir = $request->boolean('desc') ? 'desc' : 'asc';

        $products = Product::query()
            ->where('published', true)
            ->orderByRaw("$sort $dir nulls last")
            ->paginate(24);

        return response()->json($products);
    }

    public function featured(Request $request): JsonResponse
    {
        $first = $request->header('X-Preferred-Category', 'garden');
        $products = Product::where('featured', true)
            ->orderByRaw("case when category = '{$first}' then 0 else 1 end")
            ->limit(12)
            ->get();

        return response()->json($products);
    }

    public function stock(Request $request): JsonResponse
    {
        $stores = implode(',', array_map('intval', (array) $request->input('stores', [0])));
        $rows = DB::select("select store_id, sum(qty) as qty from stock where store_id in ($stores) group by store_id");

        return response()->json($rows);
    }

    public function bulk(Request $request): JsonResponse
    {
        $skus = collect($request->input('skus', []))
            ->filter(fn ($sku) => is_string($sku) && strlen($sku) < 64)
            ->map(fn (string $sku) => "'" . trim($sku) . "'")
            ->implode(',');
        $rows = DB::select("select * from products where sku in ($skus)");

        return response()->json($rows);
    }

    public function changes(Request $request): JsonResponse
    {
        ['since' => $since] = $request->validate(['since' => 'required|string|max:60']);
        $log = DB::table('price_log')
            ->selectRaw('product_id, max(price) as price')
            ->whereRaw('changed_at > timestamp \'' . $since . '\'')
            ->groupBy('product_id')
            ->get();

        return response()->json($log);
    }
}
