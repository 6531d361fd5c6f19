using System;
using System.Collections.Generic;
using System.Data;
using System.Data.SqlClient;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.Configuration;

namespace Acme.Shop.Controllers
{
    [ApiController]
    [Route("api/products")]
    public class ProductsController : ControllerBase
    {
        private readonly string _connectionString;

        public ProductsController(IConfiguration config)
        {
            _connectionString = config.GetConnectionString("Shop");
        }

        [HttpGet("search")]
        public async Task<IActionResult> Search(string term)
        {
            using var con = new SqlConnection(_connectionString);
            await con.OpenAsync();
            var sql = $"SELECT Id, Name, Price FROM Products WHERE Name LIKE '%{term}%'";
            using var cmd = new SqlCommand(sql, con);
            return Ok(await ReadAsync(cmd));
        }

        [HttpGet("category/{category}")]
        public async Task<IActionResult> ByCategory(string category)
        {
            using var con = new SqlConnection(_connectionString);
            await con.OpenAsync();
            using var cmd = con.CreateCommand();
            cmd.CommandText = "SELECT Id, Name, Price FROM Products WHERE Category = @category";
            cmd.Parameters.Add("@category", SqlDbType.NVarChar, 64).Value = category;
            return Ok(await ReadAsync(cmd));
        }

        [HttpGet("list")]
        public async Task<IActionResult> List([FromQuery] string sort = "Name")
        {
            using var con = new SqlConnection(_connectionString);
            await con.OpenAsync();
            sort = sort.Replace("'", "''");
            using var cmd = new SqlCommand("SELECT Id, Name, Price FROM Products ORDER BY " + sort, con);
            return Ok(await ReadAsync(cmd));
        }

        [HttpGet("sorted")]
        public async Task<IActionResult> Sorted(string by, bool descending)
        {
            var column = by switch
            {
                "price" => "Price",
                "added" => "AddedAt",
                _ => "Name",
            };
            using var con = new SqlConnection(_connectionString);
            await con.OpenAsync();
            var sql = $"SELECT Id, Name, Price FROM Products ORDER BY {column} {(descending ? "DESC" : "ASC")}";
            using var cmd = new SqlCommand(sql, con);
            return Ok(await ReadAsync(cmd));
        }

        [HttpDelete("{id}")]
        public async Task<IActionResult> Delete(string id)
        {
            if (!Guid.TryParse(id, out var key))
            {
                return BadRequest();
            }
            using var con = new SqlConnection(_connectionString);
            await con.OpenAsync();
            using var cmd = new SqlCommand($"DELETE FROM Products WHERE Id = '{key}'", con);
            return await cmd.ExecuteNonQueryAsync() == 1 ? NoContent() : NotFound();
        }

        private static async Task<List<object>> ReadAsync(SqlCommand cmd)
        {
            var rows = new List<object>();
            using var reader = await cmd.ExecuteReaderAsync();
            while (await reader.ReadAsync())
            {
                rows.Add(new { Id = reader.GetGuid(0), Name = reader.GetString(1), Price = reader.GetDecimal(2) });
            }
            return rows;
        }
    }
}
