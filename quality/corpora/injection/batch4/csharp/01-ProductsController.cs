using System.Data;
using Dapper;
using Microsoft.AspNetCore.Mvc;

namespace Storefront.Catalog.Controllers;

[ApiController]
[Route("api/products")]
public class ProductsController : ControllerBase
{
    private static readonly Dictionary<string, string> SortColumns = new(StringComparer.OrdinalIgnoreCase)
    {
        ["name"] = "p.name",
        ["price"] = "p.price_cents",
        ["added"] = "p.created_at",
    };

    private readonly IDbConnection _db;

    public ProductsController(IDbConnection db) => _db = db;

    public record ProductFilter(string? Brand, string? Category, int Page = 1)
    {
        public string Where => Brand is null
            ? "WHERE p.active = 1"
            : $"WHERE p.active = 1 AND p.brand = '{Brand}'";
    }

    [HttpGet]
    public async Task<IActionResult> List([FromQuery] ProductFilter filter)
    {
        var sql = "SELECT p.id, p.name FROM products p " + filter.Where + " AND p.category = @Category";
        return Ok(await _db.QueryAsync(sql, new { filter.Category }));
    }

    [HttpGet("sorted")]
    public async Task<IActionResult> Sorted(string by = "name", bool desc = false)
    {
        if (!SortColumns.TryGetValue(by, out var column))
            return BadRequest();
        var direction = desc ? "DESC" : "ASC";
        return Ok(await _db.QueryAsync($"SELECT p.id, p.name FROM products p ORDER BY {column} {direction}"));
    }

    [HttpGet("cheaper-than/{cents}")]
    public async Task<IActionResult> CheaperThan(string cents, [FromQuery] string? dir)
    {
        var limit = cents.Replace("'", "''");
        var order = string.IsNullOrEmpty(dir) ? "ASC" : dir;
        return Ok(await _db.QueryAsync("SELECT id, name FROM products WHERE price_cents < " + limit
            + " ORDER BY price_cents " + order));
    }

    [HttpPost("attributes")]
    public async Task<IActionResult> ByAttributes([FromBody] List<string> tags)
    {
        var parameters = new DynamicParameters();
        var clauses = new List<string>();
        for (var i = 0; i < tags.Count; i++)
        {
            clauses.Add("t.tag = @tag" + i);
            parameters.Add("tag" + i, tags[i]);
        }
        var sql = "SELECT t.product_id FROM tags t WHERE " + string.Join(" OR ", clauses);
        return Ok(await _db.QueryAsync<int>(sql, parameters));
    }

    [HttpPost("{id:guid}/views")]
    public async Task<IActionResult> Viewed(Guid id, [FromHeader(Name = "X-Visitor")] string visitor)
    {
        await _db.ExecuteAsync($"INSERT INTO product_views (product, visitor) VALUES ('{id}', '{visitor}')");
        return NoContent();
    }
}
