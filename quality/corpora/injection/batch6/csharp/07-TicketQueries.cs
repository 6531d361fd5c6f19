using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace Support.Tickets
{
    public class Ticket
    {
        public int Id { get; set; }
        public string Subject { get; set; }
        public string Queue { get; set; }
        public DateTime Opened { get; set; }
    }

    public class SupportContext : DbContext
    {
        public SupportContext(DbContextOptions<SupportContext> options) : base(options) { }

        public DbSet<Ticket> Tickets => Set<Ticket>();
    }

    [Route("tickets")]
    public class TicketQueries : Controller
    {
        private readonly SupportContext _context;

        public TicketQueries(SupportContext context) => _context = context;

        [HttpGet("queue/{queue}")]
        public Task<List<Ticket>> Queue(string queue)
        {
            return _context.Tickets
                .FromSqlInterpolated($"SELECT * FROM Tickets WHERE Queue = {queue}")
                .OrderBy(t => t.Opened)
                .ToListAsync();
        }

        [HttpGet("subject")]
        public Task<List<Ticket>> Subject(string contains)
        {
            return _context.Tickets
                .FromSqlRaw($"SELECT * FROM Tickets WHERE Subject LIKE '%{contains}%'")
                .AsNoTracking()
                .ToListAsync();
        }

        [HttpGet("similar")]
        public Task<List<Ticket>> Similar(string subject, int max)
        {
            return _context.Tickets
                .FromSqlRaw("SELECT TOP({1}) * FROM Tickets WHERE DIFFERENCE(Subject, {0}) > 2", subject, max)
                .ToListAsync();
        }

        [HttpPost("move")]
        public async Task<IActionResult> Move([FromForm] string[] ids, [FromForm] string queue)
        {
            if (ids.Length == 0)
            {
                return BadRequest();
            }
            var list = string.Join(", ", ids.Select(id => id.Trim()));
            var sql = "UPDATE Tickets SET Queue = {0} WHERE Id IN (" + list + ")";
            var moved = await _context.Database.ExecuteSqlRawAsync(sql, queue);
            return Ok(moved);
        }

        [HttpPost("close")]
        public async Task<IActionResult> Close([FromForm] string[] ids)
        {
            var numbers = ids.Select(int.Parse).ToArray();
            if (numbers.Length == 0)
            {
                return BadRequest();
            }
            var sql = "DELETE FROM Tickets WHERE Id IN (" + string.Join(", ", numbers) + ")";
            return Ok(await _context.Database.ExecuteSqlRawAsync(sql));
        }
    }
}
