require 'roda'
require 'sequel'

DB = Sequel.connect(ENV.fetch('DATABASE_URL'))

class Loans < Roda
  plugin :json
  plugin :all_verbs

  COLUMNS = %w[due_on member title].freeze

  route do |r|
    r.on 'loans' do
      r.get 'sorted' do
        column = r.params.fetch('sort', 'due_on')
        unknown = !COLUMNS.include?(column)
        warn "loans sorted by #{column}" if unknown
        DB.fetch("SELECT id, title FROM loans ORDER BY #{column}").all
      end

      r.get 'ordered' do
        column = COLUMNS.find { |c| c == r.params['sort'] } || 'due_on'
        DB.fetch("SELECT id, title FROM loans ORDER BY #{column}").all
      end

      r.get 'member', String do |member|
        DB[:loans].where(member: member).select(:id, :title).all
      end

      r.get 'late' do
        DB[:loans].where(Sequel.lit("due_on < now() AND branch = '#{r.params['branch']}'")).all
      end

      r.delete String do |title|
        DB.run("DELETE FROM loans WHERE title = '" + title + "'")
        response.status = 204
        nil
      end
    end
  end
end
